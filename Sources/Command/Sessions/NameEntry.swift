import Glibc
import Potluck
import PotluckCore
import PotluckScreen

/// Asks for the name of a node where the machine's name is nobody's.
enum NameEntry {
    /// Returns the name that the user typed; nil to take the machine's. Asks only on a terminal, and only if neither an
    /// option nor a setting has a name.
    static func ask(_ arguments: Arguments) -> String? {
        guard !arguments.has(SessionArguments.name.declaration), Settings.name == nil,
            !arguments[SessionArguments.json], isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1
        else { return nil }
        let machine = Machine.name
        guard Machine.isNobodys(machine) else { return nil }
        return ask(machine) {
            try? Output.write($0, to: STDERR_FILENO)
            return readLine()
        }
    }

    /// Asks until the name is valid. An empty line, and the end of the input, keep the machine's.
    static func ask(_ machine: String, _ line: (_ prompt: String) -> String?) -> String? {
        var prompt = "Your name, as others will see it (Enter keeps \(machine)): "
        while let typed = line(prompt)?.trimmed, !typed.isEmpty {
            do throws(ValueError) {
                return try SessionArguments.nodeName(typed)
            } catch {
                prompt = "That is \(error.reason). Your name: "
            }
        }
        return nil
    }
}
