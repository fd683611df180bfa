/// A coding key: the name of a field or the index of an item.
struct ValueKey: CodingKey {
    /// The field in which a class stores its superclass.
    static let parent = "super"

    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}
