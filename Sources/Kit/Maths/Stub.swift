import Glibc
public enum Maths { public static func log(_ x: Double) -> Double { Glibc.log(x) }
 public static func exp(_ x: Double) -> Double { Glibc.exp(x) } }
