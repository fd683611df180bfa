import PotluckConsole

/// A number typed key by key.
enum Typing {
    /// The number, once Enter was pressed after one from 1 on.
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
