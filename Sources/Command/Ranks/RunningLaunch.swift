import Potluck
import PotluckCore
import PotluckMachine
import PotluckRanks

/// A program with ranks that runs, here or in a session.
protocol RunningLaunch: Sendable {
    /// What the ranks do now; nil before they are placed.
    var picture: RankPicture? { get }
    /// What each rank did. Read it after the end.
    var traces: [RankTrace] { get }
    /// Runs the program until all ranks have ended. Returns the output of rank 0. Call it once.
    func run() async throws(RankError) -> [UInt8]
    /// Ends all ranks.
    func stop()
}

/// A program with ranks on this machine.
struct LocalLaunch: RunningLaunch {
    private let launch: RankLaunch
    private let program: @Sendable (RankSeat) throws(RankError) -> [UInt8]
    private let priority: Priority

    init(_ plan: LaunchPlan, cores: Int, priority: Priority, _ printer: LaunchPrinter) {
        self.priority = priority
        launch = RankLaunch(
            size: plan.size ?? min(cores, RankLimits.ranks), cores: cores, isTraced: plan.isTraced,
            isSynchronous: plan.isSynchronous
        ) { printer.print($0) }
        program = plan.module.program(plan.start)
    }

    var picture: RankPicture? { launch.picture }
    var traces: [RankTrace] { launch.traces }

    func run() async throws(RankError) -> [UInt8] {
        try await launch.run(priority: priority, program)
    }

    func stop() { launch.stop() }
}
