import PotluckCore

/// The message for a user who stops watching a job that continues.
enum Detaching {
    static func words(_ job: JobID, _ session: SessionID, _ output: RunOutput?) -> String {
        let name = ShellWord.quoted(session.name)
        let lost = output.map { ", but \($0.label) will not be written" } ?? ""
        return "job \(job) continues\(lost); watch it: potluck watch \(name); cancel it: potluck cancel \(name) \(job)"
    }
}
