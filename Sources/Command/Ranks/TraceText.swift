import PotluckCore
import PotluckRanks

/// A timeline of a program's ranks, in the format of chrome://tracing, which Perfetto reads as well. Each laptop is a
/// process, and each rank is a thread. An arrow leads from each message's send to its receive.
struct TraceText {
    private var text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":["
    private var isFirst = true
    /// The process of each rank.
    private let processes: [Int]

    /// `laptops` has the name of each rank's laptop; empty if all are on this machine.
    static func text(_ traces: [RankTrace], laptops: [String]) -> String {
        var names: [String] = []
        let processes = traces.indices.map { rank in
            guard laptops.indices.contains(rank) else { return 0 }
            if let process = names.firstIndex(of: laptops[rank]) { return process }
            names.append(laptops[rank])
            return names.count - 1
        }
        var whole = TraceText(processes: processes)
        for (process, name) in names.enumerated() {
            whole.add([
                "name": "process_name", "ph": "M", "pid": JSON(process), "args": ["name": .string(name)],
            ])
        }
        for (rank, trace) in traces.enumerated() { whole.add(trace, of: rank) }
        return whole.text + "\n]}\n"
    }

    private init(processes: [Int]) { self.processes = processes }

    private mutating func add(_ trace: RankTrace, of rank: Int) {
        add([
            "name": "thread_name", "ph": "M", "pid": JSON(processes[rank]), "tid": JSON(rank),
            "args": ["name": .string("rank \(rank)")],
        ])
        for event in trace.events {
            switch event {
            case .sent(let message, let to, let octets, let at):
                add(slice("send to rank \(to)", rank, at, Self.moment, ["bytes": JSON(octets)]))
                add(arrow("s", "\(rank).\(message)", rank, at))
            case .received(let message, let from, let at):
                add(slice("receive from rank \(from)", rank, at, Self.moment, [:]))
                add(arrow("f", "\(from).\(message)", rank, at))
            case .waited(let cause, let since, let time):
                add(slice(cause.description, rank, since, time, [:]))
            }
        }
    }

    private mutating func add(_ event: JSON) {
        text += (isFirst ? "\n" : ",\n") + event.text
        isFirst = false
    }

    /// How long a call that did not wait is shown: long enough to be clicked.
    private static let moment = Duration.microseconds(1)

    private func slice(_ name: String, _ rank: Int, _ at: Instant, _ time: Duration, _ more: JSON) -> JSON {
        [
            "name": .string(name), "ph": "X", "pid": JSON(processes[rank]), "tid": JSON(rank),
            "ts": Self.microseconds(at), "dur": JSON(Double(time.nanoseconds) / 1000), "args": more,
        ]
    }

    private func arrow(_ kind: String, _ id: String, _ rank: Int, _ at: Instant) -> JSON {
        [
            "name": "message", "cat": "message", "ph": .string(kind), "id": .string(id), "bp": "e",
            "pid": JSON(processes[rank]), "tid": JSON(rank), "ts": Self.microseconds(at),
        ]
    }

    private static func microseconds(_ at: Instant) -> JSON { JSON(Double((at - .start).nanoseconds) / 1000) }
}
