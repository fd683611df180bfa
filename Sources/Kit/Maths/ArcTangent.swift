extension Maths {
    /// Returns the angle whose tangent is `x`, from −π/2 to π/2. Error below 1 ulp.
    ///
    /// The method and the coefficients are those of fdlibm (Sun Microsystems, 1993): subtract the angle of 1/2, 1, 3/2
    /// or ∞, and evaluate an odd polynomial of the rest.
    public static func atan(_ x: Double) -> Double {
        if x.isNaN { return .nan }
        let size = x.magnitude
        let angle: Double
        if size < 0.4375 {
            angle = size - size * curve(size)
        } else if size < 0.6875 {
            angle = angled((2 * size - 1) / (2 + size), 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56)
        } else if size < 1.1875 {
            angle = angled((size - 1) / (size + 1), 0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55)
        } else if size < 2.4375 {
            angle = angled((size - 1.5) / (1 + 1.5 * size), 0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56)
        } else {
            angle = angled(-1 / size, 0x1.921fb54442d18p0, 0x1.1a62633145c07p-54)
        }
        return x.sign == .minus ? -angle : angle
    }

    /// Adds the angle of the tangent `rest` to an angle that is known to twice the precision.
    private static func angled(_ rest: Double, _ high: Double, _ low: Double) -> Double {
        high - ((rest * curve(rest) - low) - rest)
    }

    /// Returns 1 − atan(x)/x for a small `x`.
    private static func curve(_ x: Double) -> Double {
        let z = x * x
        let w = z * z
        var even = w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)
        even = w * (9.09088713343650656196e-02 + w * (6.66107313738753120669e-02 + even))
        even = z * (3.33333333333329318027e-01 + w * (1.42857142725034663711e-01 + even))
        var odd = w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02)
        odd = w * (-1.11111104054623557880e-01 + w * (-7.69187620504482999495e-02 + odd))
        odd = w * (-1.99999999998764832476e-01 + odd)
        return even + odd
    }

    /// Returns the angle of the point (x, y), from −π to π, with the special cases of IEEE 754. Error below 2 ulp.
    public static func atan2(_ y: Double, _ x: Double) -> Double {
        if x.isNaN || y.isNaN { return .nan }
        let angle: Double
        if x.magnitude == y.magnitude && (x.isInfinite || y == 0) {
            // Both are 0, or both infinite.
            angle = y == 0 ? 0 : 0.25 * .pi
        } else {
            angle = atan(y.magnitude / x.magnitude)
        }
        // π is larger than the Double by this much.
        let turned = x.sign == .minus ? .pi - (angle - 0x1.1a62633145c07p-53) : angle
        return y.sign == .minus ? -turned : turned
    }
}
