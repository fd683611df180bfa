import PotluckNet

/// The program writes the JSON of its output with the writer of the page's messages.
public typealias JSON = PotluckNet.JSON
