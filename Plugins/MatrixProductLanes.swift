import PotluckKit

extension MatrixProduct {
    /// Multiplies with a kernel of `Sources/KernelAVX512/Kernels.swift`.
    mutating func lanes(by kernel: @escaping Kernel) { self.kernel = kernel }
}

extension BlockKernel<MatrixProduct> {
    /// Multiplies with a kernel, many rows at once.
    static func multiplying(by kernel: @escaping MatrixProduct.Kernel) -> Self {
        BlockKernel(install: { $0.lanes(by: kernel) }, unitsAtOnce: { $0.rowsAtOnce })
    }
}
