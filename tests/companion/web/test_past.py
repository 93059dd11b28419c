"""The past over HTTP, and who may undo what."""

from flask.testing import FlaskClient

from companion.table.runtime import Runtime


def _settle_battle(client: FlaskClient) -> tuple[int, int]:
    """Settle the demo's battle; return the table's newest event and the throw's command number."""
    table = client.get("/api/v1/table").get_json()
    counts = {"red": 4, "blue": 1}
    after = client.post("/api/v1/settle", json={"expected": table["expected"], "counts": counts}).get_json()
    return after["expected"], after["undo"]["batch"]


def test_history_moments_and_chapters(client: FlaskClient) -> None:
    _settle_battle(client)
    entries = client.get("/api/v1/history").get_json()["entries"]
    assert [entry["told"][0]["kind"] for entry in entries] == ["throw_settled", "throw_declared", "table_set"]
    assert [entry["shown"] for entry in entries] == [True, False, False]
    chapters = client.get("/api/v1/chapters").get_json()
    assert chapters["winters"] == []
    assert chapters["battles"]["largest"]["province"] == "omi"
    batch = client.get("/api/v1/moments").get_json()["moments"][-1]["batch"]
    assert client.get(f"/api/v1/moments/{batch}").get_json()["game"]["game"] == "shogun"


def test_the_history_is_had_page_by_page(client: FlaskClient) -> None:
    _settle_battle(client)
    whole = client.get("/api/v1/history").get_json()
    newest = client.get("/api/v1/history?last=2").get_json()
    assert (newest["entries"], newest["older"], whole["older"]) == (whole["entries"][:2], 1, 0)
    rest = client.get(f"/api/v1/history?last=2&before={newest['entries'][-1]['batch']}").get_json()
    assert rest == {"entries": whole["entries"][2:], "older": 0}
    assert client.get("/api/v1/history?last=0").status_code == 422


def test_a_table_without_seats_agrees_by_itself(client: FlaskClient) -> None:
    expected, batch = _settle_battle(client)
    undoable = client.get(f"/api/v1/undo/{batch}").get_json()
    assert (undoable["shown"], undoable["batches"], undoable["seats"]) == (["throw_settled"], [batch], [])
    refused = client.post("/api/v1/undo", json={"expected": expected, "batch": batch})
    assert (refused.status_code, refused.get_json()["error"]["key"]) == (409, "needs_table")
    undo = {
        "expected": expected,
        "batch": batch,
        "agreed": True,
        "reason": "wrong target",
        "author": "Anna",
    }
    assert client.post("/api/v1/undo", json=undo).get_json()["phase"] == "waiting"


def test_seats_are_asked_with_their_keys(client: FlaskClient) -> None:
    expected, batch = _settle_battle(client)
    phone = {"REMOTE_ADDR": "192.168.1.7"}
    keys = {s: client.post(f"/api/v1/seats/{s}/take", json={}).get_json()["key"] for s in ("blue", "red")}
    undo = {"expected": expected, "batch": batch, "agreed": True}
    red_headers = {"X-Seat": "red", "X-Seat-Key": keys["red"]}
    wrong_headers = {"X-Seat": "red", "X-Seat-Key": keys["blue"]}
    assert (
        client.post("/api/v1/undo", json=undo, headers=wrong_headers, environ_base=phone).status_code == 403
    )
    poll = client.post("/api/v1/undo", json=undo, headers=red_headers, environ_base=phone).get_json()["poll"]
    assert (poll["asked"], poll["agreed"]) == (["blue", "red"], ["red"])
    answer, address = {"expected": expected, "batch": batch, "yes": True}, "/api/v1/seats/blue/answer"
    assert client.post(address, json=answer, headers={"X-Seat-Key": keys["red"]}).status_code == 403
    done = client.post(address, json=answer, headers={"X-Seat-Key": keys["blue"]}).get_json()
    assert (done["poll"], done["phase"]) == (None, "waiting")


def test_who_leaves_the_table_is_no_longer_asked(client: FlaskClient) -> None:
    """Everybody else had agreed, and the vote waited for an answer that nobody could give any more."""
    expected, batch = _settle_battle(client)
    phone, keys = {"REMOTE_ADDR": "192.168.1.7"}, {}
    for seat in ("blue", "red", "yellow"):
        keys[seat] = {"X-Seat-Key": client.post(f"/api/v1/seats/{seat}/take", json={}).get_json()["key"]}
    undo, red_headers = (
        {"expected": expected, "batch": batch, "agreed": True},
        {"X-Seat": "red", **keys["red"]},
    )
    client.post("/api/v1/undo", json=undo, headers=red_headers, environ_base=phone)
    answer = {"expected": expected, "batch": batch, "yes": True}
    client.post("/api/v1/seats/blue/answer", json=answer, headers=keys["blue"])
    poll = client.get("/api/v1/table").get_json()["poll"]
    assert (poll["asked"], poll["agreed"]) == (["blue", "red", "yellow"], ["red", "blue"])
    client.post("/api/v1/seats/yellow/free", headers=keys["yellow"], environ_base=phone)
    table = client.get("/api/v1/table").get_json()
    assert (table["poll"], table["phase"]) == (None, "waiting")


def test_the_computer_that_serves_may_speak_for_the_table(client: FlaskClient, runtime: Runtime) -> None:
    """A phone with an empty battery does not hold up the table."""
    expected, batch = _settle_battle(client)
    client.post("/api/v1/seats/blue/take", json={})
    undo = {"expected": expected, "batch": batch, "agreed": True}
    assert client.post("/api/v1/undo", json=undo).get_json()["phase"] == "waiting"
    assert client.get("/api/v1/undo/999").get_json()["possible"] is False
