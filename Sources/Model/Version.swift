/// This version of Potluck, by semantic versioning. The Makefile reads it here, too.
public let potluckVersion = "0.1.0"
