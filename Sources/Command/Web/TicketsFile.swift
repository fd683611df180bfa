import Glibc
import Potluck
import PotluckCore
import PotluckSystem

/// The tickets of a session's page, kept so that its address stays valid when the node starts again.
enum TicketsFile {
    private static let title = "potluck page 1"
    /// The largest file in bytes.
    private static let longest = 256

    /// One value per line, readable for people.
    static func text(_ tickets: PageTickets) -> String {
        [title, "view \(tickets.view.text)", "lend \(tickets.lend.text)", ""].joined(separator: "\n")
    }

    /// Returns nil unless `text` makes tickets.
    static func tickets(_ text: String) -> PageTickets? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, lines[0] == title, lines[3].isEmpty, lines[1].hasPrefix("view "),
            lines[2].hasPrefix("lend "), let view = PageTicket(text: String(lines[1].dropFirst(5))),
            let lend = PageTicket(text: String(lines[2].dropFirst(5)))
        else { return nil }
        return PageTickets(view: view, lend: lend)
    }

    private static func path(_ session: SessionID, _ directory: StateDirectory) -> String {
        directory.file(session, "page")
    }

    /// Returns the session's tickets, which are made if there are none.
    static func open(_ session: SessionID, in directory: StateDirectory) throws(Failure) -> PageTickets {
        if !directory.isEphemeral, let kept = read(path(session, directory)) { return kept }
        let new = PageTickets(view: .random(), lend: .random())
        try keep(new, of: session, in: directory)
        return new
    }

    private static func read(_ path: String) -> PageTickets? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: longest)
        let count = fread(&bytes, 1, bytes.count, file)
        return tickets(String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// Replaces the file, so that after a crash either the old tickets or the new ones are there.
    static func keep(_ tickets: PageTickets, of session: SessionID, in directory: StateDirectory) throws(Failure) {
        guard !directory.isEphemeral else { return }
        try directory.write(text(tickets), to: path(session, directory))
    }

    static func forget(_ session: SessionID, in directory: StateDirectory) throws(Failure) {
        let path = path(session, directory)
        guard unlink(path) == 0 || errno == ENOENT else { throw Failure(cannot: "remove \(path)") }
    }
}
