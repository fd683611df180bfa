import PotluckCore

/// The points of a sweep while they are computed, on this machine or in a session.
package struct SweepWork: Sendable {
    /// News of points. The numbers are those of the sweep's points.
    package enum News: Sendable {
        case progress(Int, JobSnapshot)
        case ended(Int, JobResult)
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
                case .failed(let index, let why): tell.yield(.failed(index, why))
                }
            }
            tell.finish()
        }
        self.init(news: news) { local.stop() }
    }
}
