import PotluckModel
import PotluckRanks

/// A timeline of a program's ranks, in the format of chrome://tracing, which Perfetto reads as well. Each rank is a
/// thread. An arrow leads from each message's send to its receive.
enum TraceText {
    static func text(_ traces: [RankTrace]) -> String {
        var text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":["
        var isFirst = true
        func add(_ event: JSON) {
            text += (isFirst ? "\n" : ",\n") + event.text
            isFirst = false
        }
        for (rank, trace) in traces.enumerated() {
            add([
                "name": "thread_name", "ph": "M", "pid": process, "tid": JSON(rank),
                "args": ["name": .string("rank \(rank)")],
            ])
            for event in trace.events {
                switch event {
                case .sent(let message, let to, let octets, let at):
                    add(slice("send to rank \(to)", rank, at, moment, ["bytes": JSON(octets)]))
                    add(arrow("s", "\(rank).\(message)", rank, at))
                case .received(let message, let from, let at):
                    add(slice("receive from rank \(from)", rank, at, moment, [:]))
                    add(arrow("f", "\(from).\(message)", rank, at))
                case .waited(let cause, let since, let time):
                    add(slice(cause.description, rank, since, time, [:]))
                }
            }
        }
        return text + "\n]}\n"
    }

    /// A timeline has one process.
    private static let process = JSON(0)

    /// How long a call that did not wait is shown: long enough to be clicked.
    private static let moment = Duration.microseconds(1)

    private static func slice(_ name: String, _ rank: Int, _ at: Instant, _ time: Duration, _ more: JSON) -> JSON {
        [
            "name": .string(name), "ph": "X", "pid": process, "tid": JSON(rank), "ts": microseconds(at),
            "dur": JSON(Double(time.nanoseconds) / 1000), "args": more,
        ]
    }

    private static func arrow(_ kind: String, _ id: String, _ rank: Int, _ at: Instant) -> JSON {
        [
            "name": "message", "cat": "message", "ph": .string(kind), "id": .string(id), "bp": "e", "pid": process,
            "tid": JSON(rank), "ts": microseconds(at),
        ]
    }

    private static func microseconds(_ at: Instant) -> JSON { JSON(Double((at - .start).nanoseconds) / 1000) }
}
