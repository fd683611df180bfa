import Potluck
import PotluckCore

/// The points of a sweep while they are computed, on this machine or in a session.
struct SweepWork: Sendable {
    /// News of points. The numbers are those of the sweep's points.
    enum News: Sendable {
        case progress(Int, JobSnapshot)
        case ended(Int, JobResult)
        /// A point cannot be computed. No news follows.
        case failed(Int, JobFailed)
        /// No point can be computed any more. No news follows.
        case broken(JobFailed)
    }

    let news: AsyncStream<News>
    /// Ends the points in hand, and then `news`.
    let stop: @Sendable () -> Void
}

extension SweepWork {
    /// Points that this machine computes alone. `todo` has their numbers.
    init(_ local: LocalSweep, _ todo: [Int]) {
        let (news, tell) = AsyncStream.makeStream(of: News.self)
        Task {
            for await event in local.news {
                switch event {
                case .progress(let place, let snapshot): tell.yield(.progress(todo[place], snapshot))
                case .ended(let place, let result): tell.yield(.ended(todo[place], result))
                case .failed(let place, let why): tell.yield(.failed(todo[place], why))
                }
            }
            tell.finish()
        }
        self.init(news: news) { local.stop() }
    }
}
