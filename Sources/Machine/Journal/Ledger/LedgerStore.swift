import PotluckCore

/// A coordinator's jobs in a file, as `KeptJobs` is in memory.
struct LedgerStore {
    static let kind = StoreKind(
        applicationID: StoreKind.identifier("L"), scripts: [version1, version2, version3], isExclusive: true,
        advice: "its unfinished jobs start over")

    /// The specification has a table of its own, apart from the progress, because it can take megabytes and never
    /// changes. The seal of a row covers all its other columns.
    private static let version1: StaticString = """
        CREATE TABLE job(
            id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, simulation TEXT NOT NULL, submitter TEXT NOT NULL,
            accepted_at INTEGER NOT NULL, spec BLOB NOT NULL, seal INTEGER NOT NULL);
        CREATE TABLE progress(
            job INTEGER PRIMARY KEY REFERENCES job ON DELETE CASCADE, standing INTEGER NOT NULL,
            blocks INTEGER NOT NULL, tally BLOB NOT NULL, ends INTEGER, ran INTEGER NOT NULL, seal INTEGER NOT NULL);
        CREATE TABLE piece(
            job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE, first INTEGER NOT NULL, ends INTEGER NOT NULL,
            node BLOB NOT NULL, tally BLOB NOT NULL, seal INTEGER NOT NULL, PRIMARY KEY(job, first)) WITHOUT ROWID;
        CREATE TABLE checkpoint(
            job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE, blocks INTEGER NOT NULL, tally BLOB NOT NULL,
            seal INTEGER NOT NULL, PRIMARY KEY(job, blocks)) WITHOUT ROWID;
        """

    /// The pieces of one commit are one row, because a row for each piece was most of a journal's cost. Pieces that
    /// version 1 wrote stay in `piece` until they are settled, and none are added there.
    private static let version2: StaticString = """
        CREATE TABLE batch(
            id INTEGER PRIMARY KEY, job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE, ends INTEGER NOT NULL,
            pieces BLOB NOT NULL, seal INTEGER NOT NULL);
        CREATE INDEX batch_by_job ON batch(job, ends);
        """

    /// The trials of a job by the nodes that computed them.
    private static let version3: StaticString = """
        CREATE TABLE credit(
            job INTEGER PRIMARY KEY REFERENCES job ON DELETE CASCADE, credits BLOB NOT NULL, seal INTEGER NOT NULL);
        """

    let database: Database
    private var credits: CreditRows { CreditRows(database: database) }
    private var pieces: PieceRows { PieceRows(database: database) }

    // MARK: Writing

    /// Changes the file's content from `before` to `after` for these jobs, and writes only the differences. Of jobs
    /// that were `rewritten` it writes all pieces again.
    func write(
        _ ids: some Sequence<JobID>, from before: KeptJobs, to after: KeptJobs, rewritten: Set<JobID> = []
    ) throws(StoreError) {
        for id in ids {
            let (old, new) = (before.jobs[id], after.jobs[id])
            guard let new else {
                if old != nil { try database.run("DELETE FROM job WHERE id = ?", SQLValue(id.number)) }
                continue
            }
            if old?.record != new.record { try write(new.record, isNew: old == nil) }
            try writeProgress(of: new, before: old)
            try pieces.write(new, before: old, isRewritten: rewritten.contains(id))
            try writeCheckpoints(of: new, before: old?.checkpoints ?? [])
            try credits.write(new, before: old?.credits ?? [])
        }
    }

    private func write(_ record: JobRecord, isNew: Bool) throws(StoreError) {
        let seal = SQLValue(Self.seal(record))
        guard isNew else {
            return try database.run(
                "UPDATE job SET epoch = ?, spec = ?, seal = ? WHERE id = ?", SQLValue(record.epoch),
                .octets(record.spec), seal, SQLValue(record.id.number))
        }
        try database.run(
            "INSERT INTO job VALUES(?, ?, ?, ?, ?, ?, ?)", SQLValue(record.id.number), SQLValue(record.epoch),
            .text(record.simulation), .text(record.submitter), .integer(record.acceptedAt), .octets(record.spec), seal)
    }

    private func writeProgress(of job: KeptJob, before: KeptJob?) throws(StoreError) {
        let isSame =
            before.map {
                $0.standing == job.standing && $0.settled == job.settled && $0.end == job.end && $0.ran == job.ran
            } ?? false
        guard !isSame else { return }
        try database.run(
            "INSERT OR REPLACE INTO progress VALUES(?, ?, ?, ?, ?, ?, ?)", SQLValue(job.record.id.number),
            .integer(Int64(job.standing.rawValue)), SQLValue(job.settled.blocks), .octets(job.settled.tally.octets),
            SQLValue(job.end), .integer(job.ran.nanoseconds), SQLValue(Self.sealOfProgress(job)))
    }

    private func writeCheckpoints(of job: KeptJob, before old: [SettledTally]) throws(StoreError) {
        guard job.checkpoints != old else { return }
        let id = job.record.id.number
        let kept = zip(old, job.checkpoints).prefix { $0 == $1 }.count
        for gone in old[kept...] {
            try database.run(
                "DELETE FROM checkpoint WHERE job = ? AND blocks = ?", SQLValue(id), SQLValue(gone.blocks))
        }
        for new in job.checkpoints[kept...] {
            try database.run(
                "INSERT INTO checkpoint VALUES(?, ?, ?, ?)", SQLValue(id), SQLValue(new.blocks),
                .octets(new.tally.octets), SQLValue(Seal.of(id, new.blocks, tally: new.tally)))
        }
    }

    // MARK: Reading

    /// Reads all jobs that can be trusted. Calls `lost` with a line for each part that cannot.
    func read(lost: (String) -> Void) throws(StoreError) -> KeptJobs {
        var records: [JobRecord] = []
        try database.rows(
            "SELECT id, epoch, simulation, submitter, accepted_at, spec, seal FROM job ORDER BY id"
        ) { (row) throws(StoreError) in
            let record = JobRecord(
                id: JobID(row.unsigned(0)), spec: row.octets(5), simulation: row.text(2), submitter: row.text(3),
                acceptedAt: row.integer(4), epoch: row.unsigned(1))
            if row.unsigned(6) == Self.seal(record) {
                records.append(record)
            } else {
                lost("job \(record.id) is damaged and cannot be resumed")
            }
        }
        var jobs: [KeptJob] = []
        for record in records { jobs.append(try readJob(record, lost: lost)) }
        try readOrphans(known: Set(records.map(\.id)), lost: lost)
        return KeptJobs(jobs)
    }

    /// Reports progress whose job record is lost.
    private func readOrphans(known: Set<JobID>, lost: (String) -> Void) throws(StoreError) {
        try database.rows(
            "SELECT job, standing, blocks, tally, ends, ran, seal FROM progress ORDER BY job"
        ) { (row) throws(StoreError) in
            let (id, blocks) = (row.unsigned(0), row.unsigned(2))
            let seal = Seal.of(
                id, row.unsigned(1), blocks, row.isNull(4) ? .max : row.unsigned(4), row.unsigned(5),
                tally: [UInt64](octets: row.octets(3)) ?? [])
            guard !known.contains(JobID(id)), seal == row.unsigned(6) else { return }
            lost("job \(JobID(id)) cannot be resumed: its first \(blocks) blocks are left, but its parameters are lost")
        }
    }

    private func readJob(_ record: JobRecord, lost: (String) -> Void) throws(StoreError) -> KeptJob {
        let id = record.id.number
        var found: KeptJob?
        try database.rows(
            "SELECT standing, blocks, tally, ends, ran, seal FROM progress WHERE job = ?", SQLValue(id)
        ) { (row) throws(StoreError) in
            guard let standing = UInt8(exactly: row.integer(0)).flatMap(JobStanding.init),
                let tally = [UInt64](octets: row.octets(2))
            else { return }
            let job = KeptJob(
                record, standing: standing, settled: SettledTally(blocks: row.unsigned(1), tally: tally), pieces: [],
                checkpoints: [], end: row.isNull(3) ? nil : row.unsigned(3), ran: .nanoseconds(row.integer(4)))
            if let job, Self.sealOfProgress(job) == row.unsigned(5) { found = job }
        }
        guard let progress = found else { return try readJobWithoutProgress(record, lost: lost) }
        let pieces = try pieces.read(of: record.id, beyond: progress.settled.blocks, lost: lost)
        let checkpoints = try readCheckpoints(of: record.id, until: progress.settled.blocks)
        return KeptJob(
            record, standing: progress.standing, settled: progress.settled, pieces: pieces, checkpoints: checkpoints,
            end: progress.end, ran: progress.ran, credits: try credits.read(of: record.id)) ?? progress
    }

    /// Reads a job whose progress is damaged. Its last checkpoint is a settled tally, too, so the job can resume from
    /// there.
    private func readJobWithoutProgress(_ record: JobRecord, lost: (String) -> Void) throws(StoreError) -> KeptJob {
        let checkpoints = try readCheckpoints(of: record.id, until: .max)
        guard let last = checkpoints.last else {
            lost("the results of job \(record.id) are damaged; the job starts over")
            return KeptJob(record)
        }
        lost(
            "the latest results of job \(record.id) are damaged; the job resumes from block \(last.blocks), its last checkpoint"
        )
        let pieces = try pieces.read(of: record.id, beyond: last.blocks, lost: lost)
        return KeptJob(
            record, standing: .running, settled: last, pieces: pieces, checkpoints: checkpoints, end: nil, ran: .zero,
            credits: try credits.read(of: record.id)) ?? KeptJob(record)
    }

    private func readCheckpoints(of id: JobID, until settled: UInt64) throws(StoreError) -> [SettledTally] {
        var checkpoints: [SettledTally] = []
        try database.rows(
            "SELECT blocks, tally, seal FROM checkpoint WHERE job = ? ORDER BY blocks", SQLValue(id.number)
        ) { (row) throws(StoreError) in
            guard let tally = [UInt64](octets: row.octets(1)), row.unsigned(0) <= settled,
                Seal.of(id.number, row.unsigned(0), tally: tally) == row.unsigned(2)
            else { return }
            checkpoints.append(SettledTally(blocks: row.unsigned(0), tally: tally))
        }
        return checkpoints
    }

    // MARK: Seals

    private static func seal(_ record: JobRecord) -> UInt64 {
        Seal.of(
            record.id.number, record.epoch, UInt64(bitPattern: record.acceptedAt), UInt64(record.simulation.utf8.count),
            octets: Array(record.simulation.utf8) + Array(record.submitter.utf8) + record.spec)
    }

    private static func sealOfProgress(_ job: KeptJob) -> UInt64 {
        Seal.of(
            job.record.id.number, UInt64(job.standing.rawValue), job.settled.blocks, job.end ?? .max,
            UInt64(bitPattern: job.ran.nanoseconds), tally: job.settled.tally)
    }
}
