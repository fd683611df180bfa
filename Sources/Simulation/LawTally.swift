extension Laws {
    /// Counts of events. A schedule in which nothing happens proves nothing.
    struct Tally {
        var jobs = 0
        var finished = 0
        var failed = 0
        var lost = 0
        var lies = 0
        var caught = 0
        var chunks = 0
        /// Trials computed by any node, including audits and discarded work.
        var trials: UInt64 = 0
        /// The number of take-overs and restarts: how often a node continued a job.
        var leads = 0
        var modules = 0
        var outputs = 0
    }
}
