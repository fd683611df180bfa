/// A value that must not be shown, such as a join code or a key. Printing, interpolating or dumping it shows nothing.
public struct Secret<Value: Sendable>: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The value itself. Use it only where it is needed.
    public let exposed: Value

    public init(_ value: Value) { exposed = value }

    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension Secret: Equatable where Value: Equatable {}
