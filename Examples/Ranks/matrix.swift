import PotluckKit

/// The product of two matrices in four versions, as in a thesis of 2019 on parallel computing with phones: by one rank, by
/// the ranks of one host, by several hosts, and by several hosts whose ranks share the work. A host is a group of ranks.
///
/// A has the numbers 1, 2, 3 … by rows, and B the same backwards. All sums are of whole numbers, so they are exact and
/// equal for every version and number of ranks.
struct Matrix: RankProgram {
    static let name: StaticString = "matrix"
    static let summary: StaticString = "The product of two matrices by a master and its slaves"

    @Parameter("size", "rows of each matrix", in: 1...200) var size = 3
    @Parameter("version", "1 one rank, 2 one host, 3 several hosts of a rank, 4 several hosts", in: 1...4) var version =
        3
    @Parameter("cores", "ranks of a host in versions 2 and 4", in: 1...64) var cores = 2

    func run(_ world: Communicator, _ output: inout Output) {
        let hostSize = version == 2 || version == 4 ? cores : 1
        let host = world.split(color: world.rank / hostSize)
        // The first rank of each host. The very first one is the master, the others are slaves.
        let leaders = world.split(color: host.rank == 0 ? 0 : nil)
        let isMastersHost = world.rank < hostSize
        let hasSlaves = world.size > hostSize && version >= 3

        let (a, b) = ((1...size * size).map { Double($0) }, (1...size * size).reversed().map { Double($0) })
        var product: [Double] = []
        if !hasSlaves {
            if isMastersHost { product = multiply(a, b, host) }
        } else if !isMastersHost {
            work(leaders, host)
        } else if let leaders {
            product = serve(leaders, a, b)
        }
        for (index, number) in product.enumerated() {
            output.write(Int64(number))
            output.write(index % size == size - 1 ? "\n" : " ")
        }
    }

    /// The master gives some rows of A, and all of B, to each slave in the order in which the slaves connect.
    func serve(_ leaders: Communicator, _ a: [Double], _ b: [Double]) -> [Double] {
        let slaves = leaders.size - 1
        var product = a
        var starts = [Int](repeating: 0, count: leaders.size)
        for turn in 0..<slaves {
            let slave = leaders.receive(Int.self, from: .any, tag: 0)
            starts[slave] = turn * size / slaves * size
            leaders.send(Array(a[starts[slave]..<(turn + 1) * size / slaves * size]), to: slave, tag: 1)
            leaders.send(b, to: slave, tag: 1)
        }
        for _ in 0..<slaves {
            let slave = leaders.probe(from: .any, tag: 2).source
            let rows = leaders.receive([Double].self, from: slave, tag: 2)
            product.replaceSubrange(starts[slave]..<starts[slave] + rows.count, with: rows)
        }
        return product
    }

    /// A slave connects, and multiplies its rows together with the other ranks of its host.
    func work(_ leaders: Communicator?, _ host: Communicator) {
        leaders?.send(leaders?.rank ?? 0, to: 0, tag: 0)
        let a = leaders?.receive([Double].self, from: 0, tag: 1) ?? []
        let b = leaders?.receive([Double].self, from: 0, tag: 1) ?? []
        let rows = multiply(a, b, host)
        leaders?.send(rows, to: 0, tag: 2)
    }

    /// The ranks of a host share the rows. Only its first rank has the matrices, and gets the product.
    func multiply(_ a: [Double], _ b: [Double], _ host: Communicator) -> [Double] {
        let (a, b) = (host.broadcast(a), host.broadcast(b))
        var product: [Double] = []
        for row in host.share(of: a.count / size) {
            for column in 0..<size {
                product.append((0..<size).reduce(0) { $0 + a[row * size + $1] * b[$1 * size + column] })
            }
        }
        return host.gather(product) ?? []
    }
}
