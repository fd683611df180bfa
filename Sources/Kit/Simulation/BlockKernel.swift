/// A faster way to compute the blocks of a gathering, with the same bytes.
public struct BlockKernel<G: Gathering>: Sendable {
    /// Called before `prepare`.
    @usableFromInline let install: @Sendable (inout G) -> Void
    /// How many units to compute in one call, although a block may have fewer.
    @usableFromInline let unitsAtOnce: @Sendable (G) -> Int

    /// Creates a kernel. A gathering whose blocks are computed several at once must write rows, and must not draw from the
    /// stream of a block.
    public init(
        install: @escaping @Sendable (inout G) -> Void, unitsAtOnce: @escaping @Sendable (G) -> Int = { _ in 1 }
    ) {
        self.install = install
        self.unitsAtOnce = unitsAtOnce
    }

    /// No kernel: blocks are computed one by one.
    public static var none: BlockKernel { BlockKernel(install: { _ in }) }
}
