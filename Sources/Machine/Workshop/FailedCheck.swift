/// Finds the check that a crash belongs to. The sandbox's compiler merges a check with the jump to the instruction that
/// stops the module, so a crash seems to be at the jump. The compiler noted the cause at that instruction: Swift has one
/// for each check.
enum FailedCheck {
    /// Deeper than blocks are nested in any function.
    private static let deepest = 100_000

    /// Returns the place of the instruction that the jump at `place` leads to. Nil if there is no jump, or if it leads
    /// to something else. `listing` is what `llvm-objdump` says of the module.
    static func stop(after place: Int, _ listing: String) -> Int? {
        var instructions = listing.utf8.split(separator: UInt8(ascii: "\n")).lazy.compactMap(Instruction.init)
            .drop { $0.place != place }.makeIterator()
        guard let jump = instructions.next(), jump.name == "br_if", let depth = jump.operand,
            (0..<deepest).contains(depth)
        else { return nil }
        // The jump leads behind the end of the block that many levels outside its own.
        var open = depth + 1
        while open > 0, let next = instructions.next() {
            switch next.name {
            case "block", "loop", "if": open += 1
            case "end": open -= 1
            default: break
            }
        }
        guard let stop = instructions.next(), stop.name == "unreachable" else { return nil }
        return stop.place
    }

    /// A line such as `     c64:       br_if   1    # 1: down to label22`.
    private struct Instruction {
        let place: Int
        let name: String
        let operand: Int?

        init?(_ line: Substring.UTF8View.SubSequence) {
            let words = Substring(line).split(maxSplits: 3) { $0 == " " || $0 == "\t" }
            guard words.count >= 2, words[0].last == ":", let place = Int(words[0].dropLast(), radix: 16) else {
                return nil
            }
            (self.place, name) = (place, String(words[1]))
            operand = words.count > 2 ? Int(words[2]) : nil
        }
    }
}
