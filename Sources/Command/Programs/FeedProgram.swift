import PotluckCore
import PotluckRanks

/// A picture of a program with ranks, as a node tells it to viewers on the same machine.
struct FeedProgram: Sendable, Equatable {
    let launch: UInt64
    let show: RankShow
    /// How long ago the node got the picture.
    let age: Duration

    init(launch: UInt64, show: RankShow, age: Duration = .zero) {
        (self.launch, self.show, self.age) = (launch, show, age)
    }

    var content: [UInt8] {
        let item = RankItem.show(show).encoded()
        var writer = ByteWriter(reserving: Self.head + item.count)
        writer.fixed(launch)
        writer.fixed(UInt64(clamping: age.nanoseconds))
        writer.raw(item)
        return writer.bytes
    }

    /// Returns nil if the bytes are no such picture.
    init?(_ content: ArraySlice<UInt8>) {
        var reader = ByteReader(content)
        guard let launch = try? reader.fixed(UInt64.self), let age = try? reader.fixed(UInt64.self),
            case .show(let show)? = try? RankItem(content.dropFirst(Self.head))
        else { return nil }
        self.init(launch: launch, show: show, age: .nanoseconds(Int64(clamping: age)))
    }

    private static let head = 16
}
