import Potluck
import PotluckCore
import PotluckScreen

extension StateDirectory {
    /// Returns the session that a user means by a name: the session of exactly that name if a node of it runs on this
    /// machine, or else the only one here whose name differs in capitals alone. Nil if none runs here.
    func running(_ typed: SessionID) -> SessionID? {
        guard controls(typed).isEmpty else { return typed }
        let wanted = typed.name.lowercased()
        let names = answers(to: .name, at: controls, of: typed.name).compactMap { answer -> String? in
            if case .done(let name) = answer { name.lowercased() == wanted ? name : nil } else { nil }
        }
        let found = Set(names)
        guard found.count == 1, let session = found.first.flatMap({ SessionID($0) }) else { return nil }
        Output.complain("the session on this machine is called \(Spelling.quoted(session.name))")
        return session
    }
}
