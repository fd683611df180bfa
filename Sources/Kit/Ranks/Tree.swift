/// The place of a rank in the binomial tree below a root. Messages reach all ranks, or come from all, in as many steps as
/// the number of ranks has binary digits.
///
/// Ranks count from the root here. The subtree of child `c` has the places from `c` on.
struct Tree {
    /// The rank of the parent; nil for the root.
    let parent: Int?
    /// The children, in order of their places. The last one has the largest subtree.
    let children: [Child]
    /// The number of ranks in the subtree of this rank, with itself.
    let count: Int

    struct Child {
        let rank: Int
        /// The place of its subtree within the parent's.
        let start: Int
        /// The number of ranks in its subtree.
        let count: Int
    }

    init(root: Int, rank: Int, size: Int) {
        let place = (rank - root + size) % size
        parent = place == 0 ? nil : ((place & (place - 1)) + root) % size
        var children: [Child] = []
        var step = 1
        while place & step == 0 && place + step < size {
            children.append(
                Child(rank: (place + step + root) % size, start: step, count: min(step, size - place - step)))
            step *= 2
        }
        self.children = children
        count = children.last.map { $0.start + $0.count } ?? 1
    }
}
