import PotluckCore

/// What Python itself computes of blocks.
public enum PythonReply: Equatable, Sendable {
    /// The slots of the tally, and why a reading has no value: the line and the sentence, by its name.
    case tally([UInt64], unread: [String: String] = [:])
    /// The sentence with which a trial ends the run, or with which `prepare` refuses the parameters.
    case failure(String)

    /// Reads the reference's answer: `{"slots": ["…"], "failure": null, "conflict": null, "unread": {}}`. Slots are decimal
    /// texts, because JSON's numbers need not have 64 bits.
    init?(_ text: String) {
        guard case .object(let members) = JSONReader.value(Array(text.utf8)) else { return nil }
        func member(_ key: String) -> JSON? { members.first { $0.key == key }?.value }
        switch (member("slots"), member("failure"), member("conflict")) {
        case (_, .string(let sentence)?, _), (_, _, .string(let sentence)?): self = .failure(sentence)
        case (.array(let texts)?, .null?, .null?):
            var slots: [UInt64] = []
            for case .string(let digits) in texts {
                guard let slot = UInt64(digits) else { return nil }
                slots.append(slot)
            }
            guard slots.count == texts.count else { return nil }
            var unread: [String: String] = [:]
            if case .object(let reasons)? = member("unread") {
                for case (let name, .string(let sentence)) in reasons { unread[name] = sentence }
            }
            self = .tally(slots, unread: unread)
        default: return nil
        }
    }
}
