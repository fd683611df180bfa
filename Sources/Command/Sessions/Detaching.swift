import PotluckModel

/// Messages for a user who stops watching a job that continues, or who lost contact with it.
enum Detaching {
    /// `job` is how the user knows the job.
    static func lost(_ job: String) -> String {
        "lost contact with the coordinator of \(job); the job's status is unknown"
    }

    static func words(_ job: JobID, _ session: SessionID, _ output: RunOutput?) -> String {
        let name = ShellWord.quoted(session.name)
        let lost = output.map { ", but \($0.label) will not be written" } ?? ""
        return "job \(job) continues\(lost); watch it: potluck watch \(name); cancel it: potluck cancel \(name) \(job)"
    }
}
