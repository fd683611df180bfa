import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen

/// `potluck history export`: writes runs to a file whose name says the format.
enum HistoryExport {
    private enum Format: String, CaseIterable { case csv, json, sqlite }

    static func export(_ file: String, _ arguments: Arguments) throws -> ExitCode {
        let format = try format(of: file)
        guard let history = try StoreArguments.read(arguments) else { throw RunChoice.nothingRecorded }
        let query = try RunChoice.query(arguments, history)
        try FileWriter.check(file, arguments)
        let count: Int
        switch format {
        case .sqlite: count = try store(history, query, file)
        case .csv, .json:
            let runs = try history.numbers(query).compactMap { id in try history.run(id).map { (id: id, run: $0) } }
            count = runs.count
            let text =
                format == .csv
                ? RecordCSV.text(runs.map { ($0.id, $0.run) })
                : JSON(runs.map { RecordJSON.value($0.run, id: $0.id, of: $0.run.simulation.builtIn) }).text + "\n"
            try FileWriter.write(text, overwriting: file)
        }
        try Output.write("\(count) \(count == 1 ? "run" : "runs") exported to \(Spelling.path(file))\n")
        return .success
    }

    private static func format(of file: String) throws(UsageError) -> Format {
        let name = file.split(separator: "/").last ?? ""
        let suffix = name.contains(".") ? name.split(separator: ".").last.map { $0.lowercased() } ?? "" : ""
        if let format = Format(rawValue: suffix) { return format }
        let known = "the name must end in .csv, .json or .sqlite"
        guard suffix != "parquet" else { throw UsageError("Parquet is not supported; \(known)") }
        throw UsageError("cannot tell the format of \(Spelling.quoted(file)); \(known)")
    }

    private static func store(_ history: History, _ query: HistoryQuery, _ file: String) throws -> Int {
        guard access(file, F_OK) == 0 else { return try history.export(query, to: file) }
        let draft = FileWriter.draft(of: file)
        do {
            let count = try history.export(query, to: draft)
            try FileWriter.put(draft, at: file)
            return count
        } catch let error as OutputError {
            throw Failure(message: "cannot write \(Spelling.path(file)): \(String(cString: strerror(error.number)))")
        } catch let trouble as StoreError {
            unlink(draft)
            throw trouble.path == draft ? StoreError(trouble.kind, file, trouble.detail) : trouble
        }
    }
}
