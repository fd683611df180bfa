import Glibc
import Potluck
import PotluckCore
import PotluckNet
import PotluckSystem

/// The tickets of a session's page, kept so that its address stays valid when the node starts again.
enum TicketsFile {
    private static let title = "potluck page 1"
    /// The largest file in bytes.
    private static let longest = 256

    /// One value per line, readable for people. If there is a ticket of the host, it comes last, and then the secret of the
    /// browser that has it.
    static func text(_ tickets: PageTickets) -> String {
        var lines = [title, "view \(tickets.view.text)", "lend \(tickets.lend.text)"]
        if let host = tickets.host {
            lines.append("host \(host.ticket.text)")
            if let device = host.device { lines.append("device \(device.digits)") }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Returns nil unless `text` makes tickets.
    static func tickets(_ text: String) -> PageTickets? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        func next(_ key: String) -> String? {
            guard let line = lines.first, line.hasPrefix(key + " ") else { return nil }
            lines.removeFirst()
            return String(line.dropFirst(key.count + 1))
        }
        guard lines.popFirst() == title[...], let view = next("view").flatMap({ PageTicket(text: $0) }),
            let lend = next("lend").flatMap({ PageTicket(text: $0) })
        else { return nil }
        var tickets = PageTickets(view: view, lend: lend)
        if let text = next("host") {
            guard let host = PageTicket(text: text) else { return nil }
            tickets.host = HostTicket(host)
            if let digits = next("device") {
                guard let device = DeviceSecret(digits: digits) else { return nil }
                tickets.host?.device = device
            }
        }
        return lines == [""] ? tickets : nil
    }

    private static func path(_ session: SessionID, _ directory: StateDirectory) -> String {
        directory.file(session, "page")
    }

    /// Returns the session's tickets, which are made if there are none.
    static func open(_ session: SessionID, in directory: StateDirectory) throws(Failure) -> PageTickets {
        if !directory.isEphemeral, let kept = read(path(session, directory)) { return kept }
        let new = PageTickets.random()
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
