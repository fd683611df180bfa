/// The schema of a history's file.
enum HistorySchema {
    static let kind = StoreKind(
        applicationID: StoreKind.identifier("H"), scripts: [version1, version2, version3, version4, version5],
        rewrites: [4: HistoryVersion3.intoPieces, 5: HistoryRows.sharesOfPieces], sealedSince: 4, isExclusive: false,
        advice: "save its readable runs with: potluck history repair")

    /// Rows of `run` are small, because lists go through all of them. Seeds and slots are unsigned 64-bit numbers,
    /// stored with the same bits in signed columns.
    private static let version1: StaticString = """
        CREATE TABLE run(
            id INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, simulation TEXT NOT NULL,
            started_at INTEGER NOT NULL, trials INTEGER NOT NULL, elapsed INTEGER NOT NULL, rate REAL,
            cores INTEGER NOT NULL, nodes INTEGER NOT NULL, completion INTEGER NOT NULL, seed INTEGER NOT NULL,
            digest TEXT NOT NULL);
        CREATE INDEX run_by_time ON run(started_at);
        CREATE INDEX run_by_simulation ON run(simulation, started_at);
        CREATE INDEX run_by_rate ON run(rate);
        CREATE TABLE detail(
            run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE, source TEXT NOT NULL, streams INTEGER NOT NULL,
            block_size INTEGER NOT NULL, goal_trials INTEGER, goal_absolute REAL, goal_relative REAL,
            goal_duration INTEGER, tally BLOB NOT NULL, counts BLOB NOT NULL, course BLOB NOT NULL,
            program TEXT NOT NULL);
        CREATE TABLE parameter(
            run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, place INTEGER NOT NULL, name TEXT NOT NULL,
            slot INTEGER NOT NULL, text TEXT NOT NULL, number REAL, PRIMARY KEY(run, place)) WITHOUT ROWID;
        CREATE INDEX parameter_by_name ON parameter(name);
        CREATE TABLE reading(
            run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, place INTEGER NOT NULL, name TEXT NOT NULL,
            kind INTEGER NOT NULL, value REAL, low REAL, high REAL, exact REAL, varies INTEGER NOT NULL,
            spoilt INTEGER NOT NULL, bins BLOB, bins_from REAL, bins_to REAL, PRIMARY KEY(run, place)) WITHOUT ROWID;
        CREATE INDEX reading_by_name ON reading(name);
        CREATE TABLE node(
            run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, place INTEGER NOT NULL, name TEXT NOT NULL,
            cores INTEGER NOT NULL, trials INTEGER NOT NULL, rate REAL, PRIMARY KEY(run, place)) WITHOUT ROWID;
        CREATE TABLE note(
            id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, at INTEGER NOT NULL,
            text TEXT NOT NULL);
        CREATE INDEX note_by_run ON note(run);
        """

    /// Jobs of sessions are recorded, too. Both columns are null for a run on a single machine.
    private static let version2: StaticString = """
        ALTER TABLE detail ADD COLUMN session TEXT;
        ALTER TABLE detail ADD COLUMN submitter TEXT;
        """

    /// The files that a run used, and the file of its simulation; null if there are none. Before this version the slots
    /// of the files' hash were stored as parameters.
    private static let version3: StaticString = """
        ALTER TABLE detail ADD COLUMN files BLOB;
        ALTER TABLE detail ADD COLUMN file TEXT;
        """

    /// A run is one piece with a seal of its own, which a repair can find without any other page of the file. The other
    /// tables serve searching and sorting.
    private static let version4: StaticString = """
        ALTER TABLE run ADD COLUMN session TEXT;
        ALTER TABLE run ADD COLUMN submitter TEXT;
        CREATE TABLE piece(
            run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE, octets BLOB NOT NULL, seal INTEGER NOT NULL);
        """

    /// Who computed a run, and which part of it: `{"ana":0.75,"ben":0.25}`. A row for each node would take twice the time
    /// to record a run of a class.
    private static let version5: StaticString = """
        CREATE TABLE share(run INTEGER PRIMARY KEY REFERENCES run ON DELETE CASCADE, nodes TEXT NOT NULL);
        """
}
