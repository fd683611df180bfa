import Dispatch
import Potluck
import PotluckConsole
import PotluckModel

/// What jobs wrote that were ordered here.
extension Participation {
    /// The job that this node came for has ended: what it wrote is fetched, and then it goes, or has it in its file.
    func finish(_ job: JobID) {
        guard let output = purpose.output else {
            if purpose.isErrand { leave() }
            return
        }
        let result = state.with { state -> JobResult? in
            guard let outcome = state.board.outcome(job), case .none = state.written else { return nil }
            state.written = .fetching
            return outcome.result
        }
        guard let result else { return }
        if let size = result.output?.size { tell(.init("fetching the output: \(Self.size(size))", .faint)) }
        Task { [self] in
            do throws(JobFailed) {
                let written = try await session.output(of: job, result)
                state.with { $0.written = .here(written) }
                if !purpose.isErrand { Self.writing.async { [self] in write(written, of: result, to: output) } }
            } catch {
                state.with { $0.written = .failed(error.description) }
                tell(.init("\(output.label) is not written: \(error.description)", .warning))
            }
            if purpose.isErrand { leave() }
        }
    }

    /// Files may be slow, and nothing else waits for them.
    private static let writing = DispatchQueue(label: "potluck-writing")

    /// A node that stays says in its news what became of the file.
    private func write(_ written: JobOutput, of result: JobResult, to output: RunOutput) {
        do {
            try output.write(result, written)
            tell(.init("output written to \(output.label)", .good))
        } catch let failure as Failure {
            tell(.init(failure.message, .warning))
        } catch {
            tell(.init("cannot write \(output.label): \(error)", .warning))
        }
    }

    /// Writes what an errand came for, once it is here.
    func writeOutput(of result: JobResult) throws {
        guard let output = purpose.output else { return }
        switch state.with(\.written) {
        case .here(let written): try output.write(result, written)
        case .failed(let why): throw Failure(message: "\(output.label) is not written: \(why)")
        case .none, .fetching:
            throw Failure(message: "\(output.label) is not written: interrupted while fetching the output")
        }
    }

    /// Gives others on this machine what their job wrote, and then its result.
    func handOver(_ job: JobID, _ result: JobResult) {
        guard feeds.wantsOutput(of: job) else { return }
        Task { [self] in
            do throws(JobFailed) {
                feeds.finish(job, result, .success(try await session.output(of: job, result)))
            } catch {
                feeds.finish(job, result, .failure(error))
            }
        }
    }

    static func size(_ octets: Int) -> String {
        octets < 1_000_000 ? "\((octets + 999) / 1000) kB" : "\((octets + 999_999) / 1_000_000) MB"
    }

    private func tell(_ news: SessionPicture.News) {
        state.with { $0.scene.add(news) }
        if !hasScreen { Output.complain(news.text) }
    }
}

/// How far it is with what the job wrote that this node came for.
enum Written: Sendable {
    case none
    case fetching
    case here(JobOutput)
    case failed(String)
}
