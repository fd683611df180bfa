import Glibc
import PotluckModel
import PotluckSystem

/// Where the tickets of jobs ordered on this machine are kept, so that whoever ordered one can cancel it after looking away.
enum TicketDrawer {
    /// Older ones are of jobs long over.
    private static let mostDays = 30

    static func keep(_ ticket: JobTicket, of job: JobID, in directory: StateDirectory) throws {
        guard !directory.isEphemeral else { return }
        let path = "\(directory.path)/\(job.text).ticket"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(path)") }
        defer { close(descriptor) }
        try Output.write(ticket.octets.hexadecimal + "\n", to: descriptor)
        sweep(directory)
    }

    /// Nil where it was not ordered here.
    static func ticket(of job: JobID, in directory: StateDirectory) -> JobTicket? {
        guard let file = fopen("\(directory.path)/\(job.text).ticket", "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 2 * JobTicket.length)
        guard fread(&bytes, 1, bytes.count, file) == bytes.count else { return nil }
        return [UInt8](hexadecimal: String(decoding: bytes, as: UTF8.self)).flatMap { JobTicket($0) }
    }

    private static func sweep(_ directory: StateDirectory) {
        for name in names(inFolder: directory.path) where name.hasSuffix(".ticket") {
            var found = stat()
            let path = "\(directory.path)/\(name)"
            if stat(path, &found) == 0, time(nil) - found.st_mtim.tv_sec > mostDays * 86_400 { unlink(path) }
        }
    }
}
