import Dispatch
import Potluck
import PotluckCore
import PotluckScreen

/// Fetches the output of jobs that were submitted through this node.
extension SessionController {
    /// Called when the job that this node came for is done. Fetches its output, if wanted. A command that only submits
    /// the job then leaves; a node that stays writes the file in the background.
    func finish(_ job: JobID) {
        guard let output = task.job?.output else {
            if task.isSubmitOnly { leave() }
            return
        }
        let result = state.with { state -> JobResult? in
            guard let outcome = state.board.outcome(job), case .none = state.written else { return nil }
            state.written = .fetching
            return outcome.result
        }
        guard let result else { return }
        if let size = result.output?.size { report(.init("fetching the output: \(Self.size(size))", .faint)) }
        Task { [self] in
            do throws(JobError) {
                let written = try await session.output(of: job, result)
                // Both at once, because this node may be leaving.
                state.with { state in
                    guard case .fetching = state.written else { return }
                    state.written = .here(written)
                    if !task.isSubmitOnly { Self.writing.async { [self] in write(written, of: result, to: output) } }
                }
            } catch {
                let isNews = state.with { state -> Bool in
                    guard case .fetching = state.written else { return false }
                    state.written = .failed(error.description)
                    return true
                }
                if isNews { report(.init(output.unwritten(error.description), .warning)) }
            }
            if task.isSubmitOnly { leave() }
        }
    }

    /// Writing may be slow and must not delay anything else.
    private static let writing = DispatchQueue(label: "potluck-writing")

    /// Waits until the file is written, for a node that leaves. Says so if it will not be written.
    func finishWriting() {
        guard !task.isSubmitOnly, let output = task.job?.output else { return }
        let before = state.with { state -> Written in
            defer { if case .fetching = state.written { state.written = .failed(Self.interrupted) } }
            return state.written
        }
        switch before {
        case .none, .ended: return
        case .fetching: Output.complain(output.unwritten(Self.interrupted))
        case .failed(let why): if hasScreen { Output.complain(output.unwritten(why)) }
        case .here:
            Self.writing.sync {}
            // The screen has ended, so the news is not shown there.
            if hasScreen, case .ended(let text) = state.with(\.written) { Output.complain(text) }
        }
    }

    /// Writes the file and reports the outcome in the news, for a node that stays in the session.
    private func write(_ written: JobOutput, of result: JobResult, to output: RunOutput) {
        let news: SessionPicture.News
        do {
            try output.write(result, written)
            news = .init("output written to \(output.label)", .good)
        } catch let failure as Failure {
            news = .init(failure.message, .warning)
        } catch {
            news = .init("cannot write \(output.label): \(error)", .warning)
        }
        state.with { $0.written = .ended(news.text) }
        report(news)
    }

    /// Writes the output that a command came for. Throws if it was not fetched.
    func writeOutput(of result: JobResult) throws {
        guard let output = task.job?.output else { return }
        switch state.with(\.written) {
        case .here(let written): try output.write(result, written)
        case .failed(let why): throw Failure(message: output.unwritten(why))
        case .none, .fetching, .ended: throw Failure(message: output.unwritten(Self.interrupted))
        }
    }

    private static let interrupted = "interrupted while fetching the output"

    /// Fetches the job's output and sends it, then the result, to the viewers on this machine that want it.
    func handOver(_ job: JobID, _ result: JobResult) {
        guard feeds.wantsOutput(of: job) else { return }
        Task { [self] in
            do throws(JobError) {
                feeds.finish(job, result, .success(try await session.output(of: job, result)))
            } catch {
                feeds.finish(job, result, .failure(error))
            }
        }
    }

    static func size(_ octets: Int) -> String {
        octets < 1_000_000 ? "\((octets + 999) / 1000) kB" : "\((octets + 999_999) / 1_000_000) MB"
    }

    /// Shows a warning among the news.
    func warn(_ text: String) { report(.init(text, .warning)) }

    private func report(_ news: SessionPicture.News) {
        state.with { $0.scene.add(news) }
        if !hasScreen { Output.complain(news.text) }
    }
}

/// How far the output of this node's job has been fetched.
enum Written: Sendable {
    case none
    case fetching
    case here(JobOutput)
    case failed(String)
    /// A node that stays has written the file, or failed to. The text says which.
    case ended(String)
}
