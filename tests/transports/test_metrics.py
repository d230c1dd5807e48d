"""What is counted, in the series that Prometheus reads."""

import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pendesk.domain.errors import Refusal
from pendesk.operations.dispatch import Dispatcher
from pendesk.transports.metrics import DURATION_BUCKETS_S, GAUGES, MeteredDispatcher, Metrics


def samples(metrics, **gauges):
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(metrics.render_prometheus_text(gauges).decode())
        for sample in family.samples
    }


def test_a_duration_falls_into_its_bucket_and_all_above():
    metrics = Metrics()
    for seconds in (0.0004, 0.003, 0.004, 60.0):
        metrics.record_operation("claim_action", "ok", seconds)
    values = samples(metrics)
    name = "pendesk_operation_duration_seconds"
    buckets = {
        bound: values[f"{name}_bucket", (bound, "claim_action")]
        for bound in ("0.001", "0.0025", "0.005", "10.0", "+Inf")
    }
    assert buckets == {"0.001": 1, "0.0025": 1, "0.005": 3, "10.0": 3, "+Inf": 4}
    assert values[f"{name}_count", ("claim_action",)] == 4
    assert values[f"{name}_sum", ("claim_action",)] == pytest.approx(60.0074)
    assert len([key for key in values if key[0] == f"{name}_bucket"]) == len(DURATION_BUCKETS_S) + 1


def test_outcomes_share_the_duration_of_their_operation():
    metrics = Metrics()
    for outcome in ("ok", "ok", "not_found"):
        metrics.record_operation("get_project", outcome, 0.01)
    values = samples(metrics)
    assert values["pendesk_operations_total", ("get_project", "ok")] == 2
    assert values["pendesk_operations_total", ("get_project", "not_found")] == 1
    assert values["pendesk_operation_duration_seconds_count", ("get_project",)] == 3


def test_two_services_in_one_process_count_for_themselves():
    first, second = Metrics(), Metrics()
    first.record_request("/mcp", "POST", 200, 0.01)
    assert samples(first)["pendesk_requests_total", ("POST", "/mcp", "200")] == 1
    assert ("pendesk_requests_total", ("POST", "/mcp", "200")) not in samples(second)


def test_a_series_is_looked_up_once(monkeypatch):
    """By its labels it costs several times what counting does, and this is on the way of every call."""
    metrics = Metrics()
    looked_up = []
    labels = metrics._operations.labels

    def count_look_up(*key):
        looked_up.append(key)
        return labels(*key)

    monkeypatch.setattr(metrics._operations, "labels", count_look_up)
    for _ in range(3):
        metrics.record_operation("claim_action", "ok", 0.001)
    assert looked_up == [("claim_action", "ok")]


def test_the_guide_names_every_series_and_no_other():
    guide = (Path(__file__).parents[2] / "docs/self-host.md").read_text()
    named = set(re.findall(r"^\| (`pendesk_.*?`) \|", guide, re.MULTILINE))
    described = {name.strip("`") for cell in named for name in cell.split(", ")}
    metrics = Metrics()
    metrics.record_operation("claim_action", "ok", 0.001)
    metrics.record_request("/mcp", "POST", 200, 0.001)
    families = text_string_to_metric_families(metrics.render_prometheus_text(dict.fromkeys(GAUGES, 0.0)).decode())
    assert described == {f"{family.name}_total" if family.type == "counter" else family.name for family in families}


async def test_every_gauge_of_both_engines_is_described(fresh):
    values = samples(Metrics(), **fresh.store.metric_gauges())
    assert {key[0].removeprefix("pendesk_") for key in values} == fresh.store.metric_gauges().keys()
    assert fresh.store.metric_gauges().keys() < GAUGES.keys()


async def test_a_refusal_and_an_unknown_name_are_outcomes_too(fresh):
    await fresh.open()
    ada = await fresh.person("Ada")
    dispatcher = MeteredDispatcher(fresh.store, list(fresh.dispatcher.operations.values()), fresh.installation)
    assert isinstance(dispatcher, Dispatcher)
    dispatcher.metrics = Metrics()
    for name in ("get_project", "made_up"):
        with pytest.raises(Refusal):
            await dispatcher.call(ada, name, {"project_id": "NONE"})
    counted = {key[1] for key in samples(dispatcher.metrics) if key[0] == "pendesk_operations_total"}
    assert counted == {("get_project", "not_found"), ("unknown", "not_found")}
