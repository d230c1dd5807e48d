from pendesk.domain.saved_view import ViewPage, saved_query


def test_what_is_saved_of_an_address_is_the_same_in_whatever_order_it_stands():
    one = saved_query(ViewPage.BOARD, "?group=spec&q=late+one&area=ui")
    assert one == saved_query(ViewPage.BOARD, "area=ui&q=late%20one&group=spec") == "q=late+one&area=ui&group=spec"


def test_only_what_the_page_is_narrowed_to_is_saved():
    query = "q=&label=a%26b&view=1&shown=todo:100&state=done&group=label&__proto__=x"
    assert saved_query(ViewPage.BOARD, query) == "label=a%26b&group=label"
    assert saved_query(ViewPage.LIST, query) == "label=a%26b&state=done"
    assert saved_query(ViewPage.LIST, saved_query(ViewPage.LIST, query)) == saved_query(ViewPage.LIST, query)


def test_a_value_is_no_longer_than_a_filter():
    assert saved_query(ViewPage.BOARD, f"q={'x' * 900}") == f"q={'x' * 200}"
