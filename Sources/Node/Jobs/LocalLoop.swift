import PotluckCore
import PotluckEngine
import PotluckKit
import PotluckMachine

/// The loop of a run or a sweep: gives a shell's reports and the user's wishes to the engine, one at a time.
struct LocalLoop {
    /// An input of the loop, in the order in which it came.
    enum Input: Sendable {
        case report(JobShell.Report)
        case command(JobCommand)
        /// The jobs that compute end with what they have, and no other one begins.
        case stop
        /// The jobs in hand need no result.
        case abandon
    }

    /// The jobs in hand: enough to keep the cores busy while short ones begin and end, and fewer than one submitter may
    /// have.
    static let window = 8

    let queue: AsyncStream<Input>.Continuation
    let shell: JobShell
    private let inputs: AsyncStream<Input>
    private let computing: Computing

    /// Blocks write their output to `shelf`; nil drops it.
    init(_ computing: Computing, shelf: OutputStore? = nil) {
        // The queue needs no bound: the shell reports only what the engine asked for.
        let (inputs, queue) = AsyncStream.makeStream(of: Input.self)
        shell = JobShell(computing, shelf: shelf) { queue.yield(.report($0)) }
        (self.inputs, self.queue, self.computing) = (inputs, queue, computing)
    }

    /// Resumes jobs, and orders those of the other numbers one after another, with at most `window` in hand. Returns when
    /// all have ended, when one cannot be computed, or when nobody wants them any more.
    func run(
        _ numbers: [Int], resuming kept: [Int: KeptJob] = [:], window: Int = window,
        order: (Int) throws(ParameterError) -> JobOrder, tell: (LocalJobs.News) -> Void
    ) async {
        var jobs = LocalJobs(shell, cores: computing.cores, keepsJournal: computing.store != nil) { [queue] in
            queue.yield(.report(.event(.woke)))
        }
        defer { jobs.end() }
        var left = numbers[...]
        var news = kept.isEmpty ? [] : jobs.resume(kept)
        var inputs = inputs.makeAsyncIterator()
        while true {
            while jobs.inHand < window, let number = left.popFirst() {
                do throws(ParameterError) {
                    news += jobs.order(try order(number), as: number)
                } catch {
                    news.append(.failed(number, JobError("the parameters do not fit")))
                }
            }
            for new in news {
                tell(new)
                if case .failed = new { return }
            }
            guard !left.isEmpty || jobs.inHand > 0 else { return }
            switch await inputs.next() {
            case .report(.event(let event)): news = jobs.handle(event)
            case .report(.outcomes): news = jobs.handle(.computed(shell.takeOutcomes()))
            case .command(let command): news = jobs.command(command)
            case .stop:
                left = []
                news = jobs.stop()
            case .abandon, nil: return
            }
        }
    }
}
