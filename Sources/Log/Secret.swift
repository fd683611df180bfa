/// Something that must not be seen: a join code, a key. However it is printed, interpolated or dumped, it shows nothing.
public struct Secret<Value: Sendable>: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The value itself, for the one place that needs it.
    public let exposed: Value

    public init(_ value: Value) { exposed = value }

    public var description: String { "(secret)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension Secret: Equatable where Value: Equatable {}
