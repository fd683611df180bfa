import PotluckRanks

/// Programs with faults.
extension RankAuthor {
    mutating func damage(_ script: inout RankScript) {
        if kind == .wild {
            for rank in 0..<size {
                for place in script.ranks[rank].indices { loosen(&script.ranks[rank][place]) }
            }
            guard random.chance(0.6) else { return }
        }
        for _ in 0..<1 + random.below(3) { change(&script.ranks[random.below(size)]) }
    }

    /// Lets some steps take messages of any rank.
    private mutating func loosen(_ step: inout RankStep) {
        guard let pattern = step.pattern, random.chance(0.4) else { return }
        step = step.with(
            RankPattern(source: nil, tag: random.chance(0.5) ? nil : pattern.tag, context: pattern.context))
    }

    private mutating func change(_ steps: inout [RankStep]) {
        guard !steps.isEmpty else { return }
        let place = random.below(steps.count)
        switch random.below(7) {
        case 0: steps.remove(at: place)
        case 1: steps.swapAt(place, random.below(steps.count))
        case 2: steps.insert(steps[place], at: random.below(steps.count))
        case 3:
            guard let pattern = steps[place].pattern else { return }
            let source = pattern.source == nil ? nil : random.below(size)
            steps[place] = steps[place].with(RankPattern(source: source, tag: pattern.tag, context: pattern.context))
        case 4:
            guard let sending = steps[place].sending else { return }
            var other = self.sending(from: 0)
            other.octets = sending.octets
            steps[place] = steps[place].with(other)
        case 5: steps.removeLast(random.below(steps.count))
        default: delay(&steps)
        }
    }

    /// A step comes after the checkpoint that it should come before.
    private mutating func delay(_ steps: inout [RankStep]) {
        let checkpoints = steps.indices.filter { steps[$0] == .checkpoint }
        guard !checkpoints.isEmpty else { return }
        let checkpoint = checkpoints[random.below(checkpoints.count)]
        let step = steps.remove(at: random.below(checkpoint + 1))
        steps.insert(step, at: checkpoint)
    }
}
