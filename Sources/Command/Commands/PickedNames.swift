import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen
import PotluckSystem

/// `potluck run --pick`: the names of a parameter such as `airports`, switched on and off in a list on the terminal.
enum PickedNames {
    static let flag = Flag("pick", "switch the names of a list, such as airports, on and off with keys", in: .compute)

    /// Lets the user pick names for each parameter that takes several. Returns the arguments as if these had been typed;
    /// nil after Ctrl-C.
    static func pick(for simulation: AnySimulation, _ arguments: Arguments) async throws -> Arguments? {
        let lists = simulation.parameters.filter { names(of: $0) != nil }
        guard !lists.isEmpty else {
            let others = builtIns.filter { $0.parameters.contains { names(of: $0) != nil } }.map(\.name)
            throw UsageError(
                "\(simulation.name) has no list of names to pick from; leave out --pick"
                    + (others.first.map { ", or use it with a simulation such as \($0)" } ?? ""))
        }
        var arguments = arguments
        for parameter in lists {
            guard let picked = try await pick(parameter, of: simulation, arguments) else { return nil }
            arguments = picked
        }
        return arguments
    }

    private static func names(of parameter: ParameterDescription) -> [String]? {
        guard case .several(let names, _) = parameter.domain else { return nil }
        return names.map(\.description)
    }

    private static func pick(
        _ parameter: ParameterDescription, of simulation: AnySimulation, _ arguments: Arguments
    ) async throws -> Arguments? {
        let names = names(of: parameter) ?? []
        guard isatty(STDIN_FILENO) == 1, let screen = Screen.find(orStdout: false) else {
            throw UsageError(
                "--pick needs a terminal; use -p \(parameter.label)=\(names.prefix(2).joined(separator: ","))")
        }
        let given = try arguments.all(RunPlan.parameter)
        let own = given.filter { $0.name == parameter.label }
        let before = try RunPlan.parameters(own, [parameter], of: simulation.name)
        let picker = Guarded(NamePicker(parameter.label, names, on: before[0]))
        let draw = { @Sendable in screen.draw { canvas in picker.with { $0.lines(on: canvas) } } }
        let others = arguments.texts(of: RunPlan.parameter.declaration).filter { !$0.hasPrefix(parameter.label + "=") }
        let choose = { @Sendable (slot: UInt64) in
            arguments.replacing(
                RunPlan.parameter.declaration, with: others + ["\(parameter.label)=\(parameter.text(of: slot))"])
        }
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        Interrupts.stop { end.yield(false) }
        let keys = Keys { key in
            if picker.with({ $0.press(key) }) {
                guard let problem = problem(with: choose(picker.with(\.slot)), of: simulation) else {
                    end.yield(true)
                    return
                }
                picker.with { $0.problem = problem }
            }
            draw()
        }
        draw()
        let isPicked = await ends.first { _ in true } ?? false
        keys?.end()
        screen.clear()
        Interrupts.stopAtOnce()
        return isPicked ? choose(picker.with(\.slot)) : nil
    }

    /// Returns why the simulation cannot run with these parameters. Nil also if they are a sweep or go with files, which are
    /// checked later.
    private static func problem(with arguments: Arguments, of simulation: AnySimulation) -> String? {
        guard !arguments.has(RunPlan.input.declaration), let given = try? arguments.all(RunPlan.parameter),
            let slots = try? RunPlan.parameters(given, of: simulation)
        else { return nil }
        do {
            _ = try RunPlan.prepared(simulation, slots)
            return nil
        } catch {
            return (error as? UsageError)?.message ?? (error as? Failure)?.message
        }
    }
}
