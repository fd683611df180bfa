import PotluckKit

/// Ising's model: each atom of a magnet points up or down, and tends to agree with its four neighbours.
struct Ising: Simulation {
    static let name: StaticString = "ising"
    static let summary: StaticString = "How many more atoms of a magnet point up than down? (Ising's model)"

    @Parameter("size", "atoms in a row", in: 3...64) var size = 16
    @Parameter("temperature", "temperature; above 2.269 a large magnet has no order", in: 0.5...5) var temperature = 2.0
    @Parameter("warm", "passes over all atoms before the first measurement", in: 0...10_000) var warm = 20
    @Parameter("passes", "passes that are measured", in: 1...10_000) var passes = 20

    struct Tally: SimulationTally {
        var magnetisation = Moments(), energy = Moments()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("magnetisation", &magnetisation)
            visitor.field("energy", &energy)
        }
    }

    var blockSize: Int { Block.size(forTrialsOf: 4 * size * size * (warm + passes)) }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let atoms = size * size
        var spins = [Int](repeating: 1, count: atoms)
        // How likely an atom turns against two or four neighbours.
        let chances = [1, exp(-4 / temperature), exp(-8 / temperature)]
        var (up, bonds) = (atoms, 2 * atoms)
        var (magnetisation, energy) = (0, 0)
        for sweep in 0..<warm + passes {
            for atom in 0..<atoms {
                let (row, column) = (atom - atom % size, atom % size)
                let across = spins[row + (column + 1) % size] + spins[row + (column + size - 1) % size]
                let agree = spins[atom] * (across + spins[(atom + size) % atoms] + spins[(atom + atoms - size) % atoms])
                guard agree <= 0 || random.unit() < chances[agree / 2] else { continue }
                spins[atom] = -spins[atom]
                up += 2 * spins[atom]
                bonds -= 2 * agree
            }
            guard sweep >= warm else { continue }
            magnetisation += abs(up)
            energy -= bonds
        }
        tally.magnetisation.add(Double(magnetisation) / Double(passes * atoms))
        tally.energy.add(Double(energy) / Double(passes * atoms))
    }

    /// Onsager's magnetisation of an endless magnet. Near 2.269 one of this size is still far from that.
    private var endless: Double? {
        temperature <= 2.1 && size >= 16 ? pow(1 - pow(sinh(2 / temperature), -4), 0.125) : nil
    }

    static var readings: [ReadingRule<Ising>] {
        mean("magnetisation", { $0.magnetisation }, exact: { $0.endless })
        mean("energy of an atom", { $0.energy })
    }
}
