import Glibc
import Potluck
import PotluckCore
import PotluckSystem

/// Keeps the tickets of jobs submitted on this machine, so that the submitter can still control a job after leaving it.
enum TicketStore {
    /// After how many days a ticket is deleted. Its job is over long before.
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

    /// Returns nil if the job was not submitted on this machine.
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
