import Potluck
import PotluckCore
import PotluckRanks
import PotluckSystem

/// The events of a program with ranks as JSON for other programs.
enum LaunchJSON {
    static func line(_ line: RankLine) -> JSON {
        .object(
            NodeJSON.start("line") + [
                ("rank", JSON(line.rank)), ("text", .string(String(decoding: line.octets, as: UTF8.self))),
                ("stream", .string(line.isError ? "stderr" : "stdout")),
            ])
    }

    static func picture(_ picture: RankPicture) -> JSON { .object(NodeJSON.start("ranks") + members(picture)) }

    /// The longest output that the result quotes.
    private static let mostQuoted = 1 << 16

    static func result(_ output: [UInt8], _ picture: RankPicture) -> JSON {
        let text = output.count <= mostQuoted ? String(validating: output, as: UTF8.self) : nil
        return .object(
            NodeJSON.start("result") + [
                ("bytes", JSON(output.count)), ("digest", .string(SHA256.hash(output).hexadecimal)),
                ("output", text.map { .string($0) } ?? .null),
            ] + members(picture))
    }

    /// `picture` is nil if the ranks were never placed.
    static func failed(_ why: String, _ picture: RankPicture?) -> JSON {
        .object(NodeJSON.start("failed") + [("why", .string(why))] + (picture.map(members) ?? []))
    }

    static func note(_ note: SessionLaunch.Note) -> JSON {
        switch note {
        case .waitingForLaptops: .object(NodeJSON.start("waiting") + [("laptops", JSON([]))])
        case .waiting(let names): .object(NodeJSON.start("waiting") + [("laptops", JSON(names.map { .string($0) }))])
        case .placed(let shares):
            .object(
                NodeJSON.start("placed") + [
                    ("laptops", JSON(shares.map { ["name": .string($0.name), "ranks": JSON($0.ranks)] }))
                ])
        case .declined(let why): .object(NodeJSON.start("declined") + [("why", .string(why))])
        case .noCheckpoint: .object(NodeJSON.start("noCheckpoint"))
        case .restarting(let fault, let checkpoint):
            .object(
                NodeJSON.start("restarting") + [
                    ("why", .string(fault.description)), ("checkpoint", JSON(checkpoint)),
                ])
        }
    }

    private static func members(_ picture: RankPicture) -> JobJSON.Members {
        [
            ("elapsed", JSON(picture.elapsed.seconds)), ("checkpoints", JSON(picture.checkpoints)),
            ("ranks", JSON(picture.ranks.indices.map { rank(picture, $0) })),
        ]
    }

    private static func rank(_ picture: RankPicture, _ rank: Int) -> JSON {
        let row = picture.ranks[rank]
        var members: JobJSON.Members = [("rank", JSON(rank))]
        if !picture.laptops.isEmpty { members.append(("laptop", .string(picture.laptops[rank]))) }
        members += [
            ("messagesSent", JSON(row.traffic.messagesSent)),
            ("bytesSent", JSON(row.traffic.octetsSent)), ("messagesReceived", JSON(row.traffic.messagesReceived)),
            ("bytesReceived", JSON(row.traffic.octetsReceived)), ("waited", JSON(row.waits.whole.seconds)),
        ]
        switch row.activity {
        case .computing: members.append(("state", .string("computing")))
        case .waiting(let cause, _):
            members += [("state", .string("waiting")), ("why", .string(cause.description))]
        case .ended: members.append(("state", .string("ended")))
        }
        return .object(members)
    }
}
