"""Ledger and scale beside pictures that leave a doubt."""

from calibration.evaluate_evidence import Known, exact_shares
from vision.odds import count_odds


def test_each_evidence_helps_where_the_picture_is_unsure() -> None:
    unsure = [
        Known(count_odds({"red": [0.99, 0.45], "blue": [0.99, 0.4]}), {"red": 2, "blue": 1}),
        Known(count_odds({"red": [0.99, 0.45], "blue": [0.6]}), {"red": 1, "blue": 0}),
    ] * 40
    shares = exact_shares(unsure)
    assert shares["picture"] == 0
    assert shares["ledger"] > shares["picture"]
    assert shares["ledger and scale"] > max(shares["scale"], shares["ledger"]) - 0.02
    assert shares["ledger and scale"] > 0.5


def test_sure_pictures_stay_as_they_are() -> None:
    sure = [Known(count_odds({"red": [0.999] * 3, "blue": []}), {"red": 3, "blue": 0})] * 10
    assert set(exact_shares(sure).values()) == {1.0}
