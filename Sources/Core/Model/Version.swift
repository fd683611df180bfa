/// The version of Potluck, by semantic versioning. The Makefile reads it from here too.
public let potluckVersion = "0.1.0"
