import PotluckCore
import PotluckRanks
import PotluckScreen

/// Pictures of programs with ranks.
enum ProgramSample {
    static func row(_ standing: RankRow.Standing, sent: Int = 0, octets: Int = 0) -> RankRow {
        RankRow(
            standing: standing, traffic: RankTraffic(messagesSent: sent, octetsSent: octets), waits: RankWaits())
    }

    static func waits(for rank: Int?, _ time: Duration) -> RankRow.Standing {
        .waits(.message(RankPattern(source: rank, tag: nil, context: 0)), for: time)
    }

    static func show(
        _ name: String = "heat", by launcher: String = "ana", _ state: RankShow.State = .running,
        elapsed: Duration = .seconds(12), checkpoints: Int = 0,
        rows: [RankRow] = Array(repeating: row(.computes), count: 8), laptops: [String]? = nil
    ) -> RankShow {
        RankShow(
            name: name, launcher: launcher, state: state, elapsed: elapsed, checkpoints: checkpoints, rows: rows,
            laptops: laptops ?? rows.indices.map { ["ana", "bob", "中文"][$0 * 3 / max(1, rows.count)] })
    }

    /// Eight ranks on three laptops, in the middle of a run.
    static func heat(_ state: RankShow.State = .running) -> RankShow {
        let standings: [RankRow.Standing] = [
            .computes, .computes, waits(for: 1, .milliseconds(300)), waits(for: 1, .milliseconds(2100)), .computes,
            .computes, .waits(.checkpoint, for: .seconds(1)), .ended,
        ]
        return show(
            "heat", by: "ana", state,
            rows: standings.enumerated().map { row($1, sent: 150 + $0, octets: 7_000_000 - 1_000 * $0) })
    }

    /// More ranks than anybody looks at, each with a neighbour on another laptop.
    static func crowd(laptops: Int, ranks: Int) -> RankShow {
        show(
            "sort", by: "the-laptop-of-emil",
            rows: (0..<ranks).map { row($0 % 5 == 0 ? waits(for: nil, .seconds($0 % 90)) : .computes, sent: 9) },
            laptops: (0..<ranks).map { "laptop \($0 % laptops + 1)" })
    }
}

extension Dice {
    mutating func show() -> RankShow {
        let causes: [RankActivity.Cause] = [
            .message(RankPattern(source: 3, tag: nil, context: 0)), .receiver(511), .checkpoint,
            .requests(3, first: .message(RankPattern(source: nil, tag: 1, context: 1))),
        ]
        let rows = (0..<below(pick([2, 20, 513]))).map { _ in
            ProgramSample.row(
                pick([.computes, .ended, .waits(pick(causes), for: duration())]),
                sent: pick([0, 1, 1 << 53]), octets: pick([0, 12_345, 1 << 53]))
        }
        let names = (0..<(1 + below(40))).map { pick([name(), "laptop \($0)"]) }
        return ProgramSample.show(
            name(), by: name(),
            pick([.running, .running, .ended, .failed(name()), .failed(String(repeating: "rank 3 waits ", count: 99))]),
            elapsed: duration(), checkpoints: pick([0, 1, 1000]), rows: rows, laptops: rows.map { _ in pick(names) })
    }
}
