"""The rules of axe, which finds what people with other eyes, ears and hands cannot use."""
import glob
import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def violations(tab):
    """Returns what breaks a rule in the page as it is now: the rule, and the elements."""
    if not tab.evaluate("'axe' in window"):
        found = glob.glob(os.path.join(HERE, "../../.build/axe/*/axe.min.js"))
        assert found, "axe is missing; run Tools/deps pages"
        with open(max(found), encoding="utf-8") as file:
            tab.evaluate(f"{{ {file.read()} }}; 0")
    said = tab.evaluate(
        f"axe.run(document, {{ runOnly: {json.dumps(RULES)}, resultTypes: ['violations'] }}).then((found) => "
        "JSON.stringify(found.violations.map((one) => [one.id, one.nodes.map((node) => node.html.slice(0, 120))])))")
    return json.loads(said)
