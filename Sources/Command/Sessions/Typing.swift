import PotluckScreen

/// Reads a number that the user types key by key.
enum Typing {
    /// Returns the number from 1 to `most` when Enter ends it; nil otherwise.
    static func number(after key: ViewKey, _ typed: inout String, upTo most: Int) -> Int? {
        switch key {
        case .character(let digit) where ("0"..."9").contains(digit) && typed.count < 4: typed.append(digit)
        case .backspace: _ = typed.popLast()
        case .enter:
            defer { typed = "" }
            return Int(typed).flatMap { (1...max(1, most)).contains($0) && most > 0 ? $0 : nil }
        default: break
        }
        return nil
    }
}
