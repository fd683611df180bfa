import PotluckCore
import PotluckKit

/// The points of a sweep while they are computed, on this machine or in a session.
package struct SweepWork: Sendable {
    /// News of points. The numbers are those of the sweep's points.
    package enum News: Sendable {
        case progress(Int, JobSnapshot)
        case ended(Int, JobResult)
        /// The sweep was stopped while it computed the point, which has this result so far.
        case stopped(Int, JobResult)
        /// A point cannot be computed. No news follows.
        case failed(Int, JobError)
        /// No point can be computed any more. No news follows.
        case broken(JobError)
    }

    package let news: AsyncStream<News>
    /// Ends the points in hand, and then `news`.
    package let stop: @Sendable () -> Void

    package init(news: AsyncStream<News>, stop: @escaping @Sendable () -> Void) {
        (self.news, self.stop) = (news, stop)
    }

    /// Points that this machine computes alone.
    package init(_ local: LocalSweep) {
        let (news, tell) = AsyncStream.makeStream(of: News.self)
        Task {
            for await event in local.news {
                switch event {
                case .progress(let index, let snapshot): tell.yield(.progress(index, snapshot))
                case .ended(let index, let result): tell.yield(.ended(index, result))
                case .stopped(let index, let result): tell.yield(.stopped(index, result))
                case .failed(let index, let why): tell.yield(.failed(index, why))
                }
            }
            tell.finish()
        }
        self.init(news: news) { local.stop() }
    }

    /// Runs of this machine, one after another, so that each has the machine for itself.
    package init(runs count: Int, _ start: @escaping @Sendable (Int) throws(ParameterError) -> LocalRun) {
        self.init(results: count) { index in
            let run = try start(index)
            return try await withTaskCancellationHandler {
                try await run.result
            } onCancel: {
                run.stop()
            }
        }
    }

    /// Results that `compute` gets, one after another.
    init(results count: Int, _ compute: @escaping @Sendable (Int) async throws -> JobResult) {
        let (news, tell) = AsyncStream.makeStream(of: News.self)
        let runs = Task {
            for index in 0..<count where !Task.isCancelled {
                do {
                    let result = try await compute(index)
                    if result.completion != .stopped { tell.yield(.ended(index, result)) }
                } catch {
                    tell.yield(.failed(index, error as? JobError ?? JobError("\(error)")))
                    break
                }
            }
            tell.finish()
        }
        self.init(news: news) { runs.cancel() }
    }
}
