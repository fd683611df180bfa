extension Array {
    /// Creates an array of at most `most` elements, which `body` writes. `body` is not called if `most` is 0: Swift's own
    /// initializer would then write to the one empty array that all threads share.
    package init(
        writing most: Int, _ body: (inout UnsafeMutableBufferPointer<Element>, inout Int) throws -> Void
    ) rethrows {
        self = most == 0 ? [] : try Array(unsafeUninitializedCapacity: most, initializingWith: body)
    }
}
