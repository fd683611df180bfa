import PotluckCore
import PotluckRanks

/// Pictures of programs with ranks as JSON for other programs.
package enum ProgramJSON {
    /// The number of a launch, as the IDs of jobs are written.
    static func text(of launch: UInt64) -> String { JobID(launch).text }

    /// A picture as one line.
    package static func value(_ launch: UInt64, _ show: RankShow) -> JSON {
        let (name, members) = parts(launch, show)
        return .object(NodeJSON.start(name) + members)
    }

    /// The line of a program without news.
    package static func lost(_ launch: UInt64, _ show: RankShow) -> JSON {
        .object(NodeJSON.start("program") + head(launch, show, state: "lost", why: nil))
    }

    package static func parts(_ launch: UInt64, _ show: RankShow) -> (name: String, NodeJSON.Members) {
        let (state, why): (String, String?) =
            switch show.state {
            case .running: ("running", nil)
            case .ended: ("ended", nil)
            case .failed(let why): ("failed", why)
            }
        return (
            "program",
            head(launch, show, state: state, why: why) + [
                ("elapsed", JSON(show.elapsed.seconds)), ("checkpoints", JSON(show.checkpoints)),
                ("ranks", JSON(show.rows.indices.map { rank(show, $0) })),
            ]
        )
    }

    private static func head(_ launch: UInt64, _ show: RankShow, state: String, why: String?) -> NodeJSON.Members {
        [
            ("launch", .string(text(of: launch))), ("name", .string(show.name)), ("launcher", .string(show.launcher)),
            ("state", .string(state)),
        ] + (why.map { [("why", .string($0))] } ?? [])
    }

    /// A rank has the members that `potluck launch --json` gives it, and its wait has a time.
    private static func rank(_ show: RankShow, _ rank: Int) -> JSON {
        let row = show.rows[rank]
        var members: NodeJSON.Members = [("rank", JSON(rank))]
        if show.laptops.indices.contains(rank) { members.append(("laptop", .string(show.laptops[rank]))) }
        switch row.standing {
        case .computes: members.append(("state", "computing"))
        case .waits(let cause, let time):
            members += [("state", "waiting"), ("why", .string(cause.description)), ("for", JSON(time.seconds))]
        case .ended: members.append(("state", "ended"))
        }
        return .object(
            members + [
                ("messagesSent", JSON(row.traffic.messagesSent)), ("bytesSent", JSON(row.traffic.octetsSent)),
                ("messagesReceived", JSON(row.traffic.messagesReceived)),
                ("bytesReceived", JSON(row.traffic.octetsReceived)), ("waited", JSON(row.waits.whole.seconds)),
            ])
    }
}
