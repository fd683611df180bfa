import Potluck
import PotluckCore

extension StateDirectory {
    /// Returns the session that a user means by a name: the session of exactly that name if a node of it runs on this
    /// machine, or else the only one here whose name differs in capitals alone. Nil if none runs here.
    func running(_ typed: SessionID) -> SessionID? {
        guard controls(typed).isEmpty else { return typed }
        let wanted = typed.name.lowercased()
        let found = Set(controls.compactMap(nameOfSession).filter { $0.lowercased() == wanted })
        guard found.count == 1, let session = found.first.flatMap({ SessionID($0) }) else { return nil }
        Output.complain("the session on this machine is called \(Spelling.quoted(session.name))")
        return session
    }

    /// Asks a node for the name of its session. Nil if it does not answer, or is of an older version.
    private func nameOfSession(_ path: String) -> String? {
        var refusal: String?
        guard let socket = reach(path, &refusal) else { return nil }
        defer { socket.end() }
        socket.finish(ControlRequest.name.text)
        guard case .done(let name)? = socket.readAll(limit: ControlRequest.maximumLength).flatMap({ ControlAnswer($0) })
        else { return nil }
        return name
    }
}

extension NearbyName {
    /// Returns the session that a user means by a name: one that runs on this machine, or one nearby.
    static func choose(_ typed: SessionID, _ directory: StateDirectory, _ arguments: Arguments) async throws
        -> SessionID
    {
        if let here = directory.running(typed) {
            try checkCode(arguments, of: here, directory)
            return here
        }
        return await choose(typed, try DiscoveryArguments.read(arguments))
    }

    /// Throws if the command line gives another code than the session on this machine has, which the command uses.
    private static func checkCode(_ arguments: Arguments, of session: SessionID, _ directory: StateDirectory) throws {
        guard let option = CodeEntry.options.first(where: { arguments.has($0) }),
            let given = try CodeEntry.given(arguments), let way = directory.wayIn(to: session),
            way.code != given.code
        else { return }
        throw Failure(
            message: "--\(option.name) does not match the session \(session.name) on this machine; leave it out to use "
                + "that session")
    }
}
