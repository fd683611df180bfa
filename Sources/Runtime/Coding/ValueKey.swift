/// A place in a value: a field's name or an item's number.
struct ValueKey: CodingKey {
    /// Where a class keeps what is its superclass's.
    static let parent = "super"

    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}
