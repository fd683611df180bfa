import Glibc
import Potluck
import PotluckCatalogue
import PotluckCore
import PotluckKit
import PotluckScreen

/// Finds the best solution of a recorded search again. The history keeps its point and its cost, and not how its author
/// shows it.
enum RecordedSolution {
    /// Returns nil for other work, and if the search or its files are missing or have changed. The search of a file is
    /// used only if there are `arguments` for it, because it may have to be compiled.
    static func find(_ run: RunRecord, _ arguments: Arguments? = nil) -> Solution? {
        guard run.isSearch, let simulation = simulation(of: run, arguments) else { return nil }
        var tables: [Table] = []
        if let files = run.files {
            for input in simulation.inputs {
                guard let file = files.inputs.first(where: { $0.name == input.name }) else {
                    tables.append(.empty)
                    continue
                }
                guard isFile(file.path), let table = try? TableFile.read(file.path, for: input) else {
                    return nil
                }
                tables.append(table)
            }
        }
        let solutions = Solutions(.init(simulation: simulation, tables: tables))
        return solutions.octets(of: run.result, nil).map { Solution($0) }
    }

    /// The path may be that of another person's run. Only a regular file is read, because a pipe might never end.
    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static func simulation(of run: RunRecord, _ arguments: Arguments?) -> AnySimulation? {
        if let known = run.simulation.builtIn { return known }
        guard let arguments, let file = run.file else { return nil }
        return (try? ChosenSimulation(file, arguments))?.simulation
    }
}
