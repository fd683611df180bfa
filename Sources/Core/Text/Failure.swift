/// An error that ends the program, with one line for stderr.
package struct Failure: Error {
    package let message: String
    /// The code that a program with ranks chose; nil for the usual one.
    package var code: Int32?

    package init(message: String, code: Int32? = nil) { (self.message, self.code) = (message, code) }
}
